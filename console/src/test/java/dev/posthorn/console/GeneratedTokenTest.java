package dev.posthorn.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
class GeneratedTokenTest {

    private final String home = System.getProperty("user.home");

    @TempDir
    private Path folder;

    @BeforeEach
    void enter() {
        System.setProperty("user.home", folder.toString());
    }

    @AfterEach
    void leave() {
        System.setProperty("user.home", home);
    }

    @Test
    void itsFileIsForItsOwnerAloneAndGoesWithTheProcess() throws Exception {
        Path file = folder.resolve(".posthorn/console-8025.token");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "a token of a process that was killed, readable by everyone");

        try (GeneratedToken token = new GeneratedToken()) {
            token.keep(8025);

            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            assertThat(token.link("http://127.0.0.1:8025/"))
                    .isEqualTo("http://127.0.0.1:8025/#token="
                            + Files.readString(file).strip());
            assertThat(token.tokens().callerWith(Files.readString(file).strip()))
                    .contains(new Caller(GeneratedToken.NAME, Role.ADMIN));
            assertThat(GeneratedToken.of(URI.create("http://localhost:8025"))).isPresent();
            assertThat(GeneratedToken.of(URI.create("http://127.0.0.1:8026"))).isEmpty();
            assertThat(GeneratedToken.of(URI.create("http://192.0.2.1:8025")))
                    .as("a token of this host is never sent elsewhere")
                    .isEmpty();
        }

        assertThat(file).doesNotExist();
    }

    @Test
    void everyProcessHasItsOwn() {
        assertThat(new GeneratedToken().link("")).isNotEqualTo(new GeneratedToken().link(""));
    }
}
