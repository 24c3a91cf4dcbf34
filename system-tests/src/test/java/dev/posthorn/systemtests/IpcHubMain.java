package dev.posthorn.systemtests;

import dev.posthorn.transports.ipc.IpcConfig;
import dev.posthorn.transports.ipc.IpcHub;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/** Hosts the hub of a folder until it is killed. */
final class IpcHubMain {

    private IpcHubMain() {}

    public static void main(String[] args) {
        try (IpcHub hub = IpcHub.start(IpcConfig.in(Path.of(args[0])))) {
            System.out.println("hosting for " + hub.connections());
            while (true) {
                LockSupport.park();
            }
        }
    }
}
