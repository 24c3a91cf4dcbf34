package dev.posthorn.embeddedpostgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;

/** Who the server runs as: the current user or, as Postgres refuses to run as root, an unprivileged one instead. */
enum Account {
    CURRENT_USER {
        @Override
        List<String> command(List<String> command) {
            return command;
        }

        @Override
        void own(Path folder) {}

        @Override
        boolean reaches(Path folder) {
            return true;
        }
    },
    NOBODY {
        @Override
        List<String> command(List<String> command) {
            List<String> dropped = new ArrayList<>(List.of(
                    "setpriv", "--reuid=" + NOBODY_ID, "--regid=" + NOBODY_ID, "--clear-groups", "--inh-caps=-all"));
            dropped.addAll(command);
            return List.copyOf(dropped);
        }

        @Override
        void own(Path folder) throws IOException {
            Files.setAttribute(folder, "unix:uid", NOBODY_ID);
            Files.setAttribute(folder, "unix:gid", NOBODY_ID);
        }

        @Override
        boolean reaches(Path folder) throws IOException {
            for (Path above = folder.toRealPath(); above != null; above = above.getParent()) {
                if (!Files.getPosixFilePermissions(above).contains(PosixFilePermission.OTHERS_EXECUTE)) {
                    return false;
                }
            }
            return true;
        }
    };

    private static final int NOBODY_ID = 65534;

    /** Judged by the owner of a folder that this process has just made. */
    static Account forOwnerOf(Path folder) throws IOException {
        return Integer.valueOf(0).equals(Files.getAttribute(folder, "unix:uid")) ? NOBODY : CURRENT_USER;
    }

    /** The command that runs this command as the account. */
    abstract List<String> command(List<String> command);

    /** Hands a folder to the account. */
    abstract void own(Path folder) throws IOException;

    /** Whether the account may pass through this folder and all above it. */
    abstract boolean reaches(Path folder) throws IOException;
}
