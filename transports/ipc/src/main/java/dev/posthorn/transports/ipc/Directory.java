package dev.posthorn.transports.ipc;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/**
 * Which hubs there are to publish to. Of peers the folder is looked at anew whenever it has changed: whoever has subscribed
 * must not miss what is published next. Thread-safe.
 */
final class Directory {

    /** The folder's time is not exact: what changes within this time of a look may have the time of that look. */
    private static final long BLUR_MILLIS = 200;

    private record Look(long folderMillis, long atMillis, List<String> hubs) {
        boolean stillHolds(long nowFolderMillis) {
            return folderMillis == nowFolderMillis && atMillis - folderMillis > BLUR_MILLIS;
        }
    }

    private final IpcConfig config;
    private volatile Look last = new Look(0, 0, List.of());

    Directory(IpcConfig config) {
        this.config = config;
    }

    List<String> hubs() throws IOException {
        if (config.shape() != Shape.PEERS) {
            return List.of(Folder.HUB);
        }
        if (!Files.isDirectory(config.folder())) {
            return List.of();
        }
        long changed = Files.getLastModifiedTime(config.folder()).toMillis();
        Look look = last;
        if (!look.stillHolds(changed)) {
            long now = System.currentTimeMillis();
            look = new Look(changed, now, List.copyOf(new Folder(config.folder()).peers()));
            last = look;
        }
        return look.hubs();
    }
}
