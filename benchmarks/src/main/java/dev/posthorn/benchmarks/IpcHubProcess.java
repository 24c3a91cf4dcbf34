package dev.posthorn.benchmarks;

import dev.posthorn.transports.ipc.IpcConfig;
import dev.posthorn.transports.ipc.IpcHub;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The process in which {@link IpcKind} has its hubs. Each line of standard input is a folder: a hub is hosted there, or ended
 * if there is one; then the folder is said back. The end of it ends the process.
 */
final class IpcHubProcess {

    /** As much as a run publishes: subscribers of a run read nothing. */
    static final IpcConfig.Limits LIMITS = new IpcConfig.Limits(10_000_000, 2L << 30, 8 << 20, 100);

    private IpcHubProcess() {}

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Map<String, IpcHub> hubs = new HashMap<>();
        for (String folder = in.readLine(); folder != null; folder = in.readLine()) {
            @Nullable IpcHub ended = hubs.remove(folder);
            if (ended == null) {
                hubs.put(folder, IpcHub.start(IpcConfig.in(Path.of(folder)).limits(LIMITS)));
            } else {
                ended.close();
            }
            System.out.println(folder);
        }
    }
}
