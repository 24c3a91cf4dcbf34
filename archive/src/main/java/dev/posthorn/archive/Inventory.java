package dev.posthorn.archive;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Compares the volumes of a folder with those that should be there: what the {@link Index} has, and what each volume knows
 * of the one before it.
 */
final class Inventory {

    /** What somebody says of a volume. */
    private record Witness(String seal, String says) {}

    private final FolderArchive archive;
    private final Index index;
    private final Map<String, Witness> expected = new TreeMap<>();
    private final Map<String, Volume> found = new TreeMap<>();
    private Optional<String> indexFault;

    Inventory(FolderArchive archive) throws IOException {
        this.archive = archive;
        this.index = Index.read(archive.folder());
        this.indexFault = index.fault();
        index.lines().forEach(line -> expected.put(line.volume(), new Witness(line.seal(), Index.FILE)));
    }

    /** Every volume that is there or should be, and the index if something is wrong with it. */
    List<Volume> take() throws IOException {
        List<Path> volumes = archive.volumes();
        for (Path volume : volumes) {
            hear(volume);
        }
        for (Path volume : volumes) {
            look(volume);
        }
        expected.forEach((name, witness) -> {
            if (!witness.seal().isEmpty()) {
                found.computeIfAbsent(
                        name,
                        missing -> Volume.damaged(
                                missing, Optional.empty(), "the volume is missing; it is named by " + witness.says()));
            }
        });
        indexFault.ifPresent(fault -> found.put(Index.FILE, Volume.damaged(Index.FILE, Optional.empty(), fault)));
        List<Volume> all = new ArrayList<>(found.values());
        all.sort(Comparator.comparing(Volume::name));
        return all;
    }

    /** What a volume says of the one before it. */
    private void hear(Path volume) throws IOException {
        Path file = volume.resolve(Index.PREVIOUS);
        if (!Files.exists(file)) {
            return;
        }
        String says = FolderArchive.nameOf(volume) + "/" + Index.PREVIOUS;
        Optional<Index.Line> line = Index.Line.parse(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
        line.ifPresent(previous -> {
            expected.putIfAbsent(previous.volume(), new Witness(previous.seal(), says));
            if (previous.number() > index.newest().map(Index.Line::number).orElse(0L) && indexFault.isEmpty()) {
                indexFault = Optional.of("line " + previous.number() + " is missing; it is in " + says);
            }
        });
    }

    private void look(Path volume) throws IOException {
        Volume described = archive.described(volume, index);
        Witness witness = expected.get(described.name());
        if (witness != null
                && !witness.seal().isEmpty()
                && described.fault().isEmpty()
                && !witness.seal().equals(Index.sealOf(volume))) {
            described = Volume.damaged(described.name(), described.manifest(), FolderArchive.REPLACED + witness.says());
        }
        found.put(described.name(), described);
    }
}
