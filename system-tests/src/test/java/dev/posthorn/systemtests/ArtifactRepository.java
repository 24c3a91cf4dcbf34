package dev.posthorn.systemtests;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * A local repository of Maven with the artifacts of this build as they would be installed, and with all else that the repository
 * of this machine has. Nothing of this build gets into that one.
 */
final class ArtifactRepository implements AutoCloseable {

    private static final Path OWN = Path.of("dev", "posthorn");
    private static final int DEEPEST = 3;

    private final Path folder;
    private final List<Path> links = new ArrayList<>();

    private ArtifactRepository(Path folder) {
        this.folder = folder;
    }

    /** In a folder that does not exist yet. */
    static ArtifactRepository in(Path folder, Path shared) throws IOException {
        ArtifactRepository repository = new ArtifactRepository(folder);
        repository.link(shared, Path.of(""));
        String version = textOf(Modules.root().resolve("pom.xml"), "version");
        for (Path pom : poms()) {
            repository.install(pom, version);
        }
        return repository;
    }

    Path folder() {
        return folder;
    }

    /** Links to whole groups, down to where those of this build would be. */
    private void link(Path shared, Path below) throws IOException {
        Files.createDirectories(folder.resolve(below));
        if (!Files.isDirectory(shared.resolve(below))) {
            return;
        }
        try (Stream<Path> groups = Files.list(shared.resolve(below))) {
            for (Path group : groups.toList()) {
                Path place = shared.relativize(group);
                if (OWN.startsWith(place)) {
                    if (!OWN.equals(place)) {
                        link(shared, place);
                    }
                } else {
                    links.add(Files.createSymbolicLink(folder.resolve(place), group.toAbsolutePath()));
                }
            }
        }
    }

    /** Cuts the links, so that whoever deletes the folder deletes nothing else. */
    @Override
    public void close() throws IOException {
        for (Path link : links) {
            Files.delete(link);
        }
    }

    private static List<Path> poms() throws IOException {
        try (Stream<Path> files = Files.walk(Modules.root(), DEEPEST)) {
            return files.filter(file -> file.endsWith("pom.xml"))
                    .filter(file -> !file.toString().contains("/target/"))
                    .toList();
        }
    }

    private void install(Path pom, String version) throws IOException {
        String name = textOf(pom, "artifactId");
        Path place = Files.createDirectories(folder.resolve(OWN).resolve(name).resolve(version));
        Files.copy(pom, place.resolve(name + "-" + version + ".pom"));
        Path classes = Objects.requireNonNull(pom.getParent()).resolve("target/classes");
        if (Files.isDirectory(classes)) {
            pack(classes, place.resolve(name + "-" + version + ".jar"));
        }
    }

    private static void pack(Path classes, Path jar) throws IOException {
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out);
                Stream<Path> files = Files.walk(classes)) {
            zip.setLevel(1);
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                zip.putNextEntry(new ZipEntry(classes.relativize(file).toString()));
                Files.copy(file, zip);
            }
        }
    }

    /** Of the project itself, not of its parent. */
    private static String textOf(Path pom, String element) throws IOException {
        for (Node node = root(pom).getFirstChild(); node != null; node = node.getNextSibling()) {
            if (element.equals(node.getNodeName())) {
                return node.getTextContent().strip();
            }
        }
        throw new IOException(pom + " has no " + element);
    }

    private static Node root(Path pom) throws IOException {
        try {
            Document document =
                    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
            return document.getDocumentElement();
        } catch (ParserConfigurationException | SAXException unreadable) {
            throw new IOException(pom.toString(), unreadable);
        }
    }
}
