package dev.posthorn.transports.ipc;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Hubs in a JVM of its own, which tests kill and freeze; one hub for each folder that is asked for. */
final class HubProcess implements AutoCloseable {

    private final Set<Path> folders = new LinkedHashSet<>();
    private boolean alive = true;
    private ChildJvm jvm = ChildJvm.start(Main.class, List.of());

    /** Hosts a hub there, now and after each start. */
    synchronized void host(Path folder) {
        if (folders.add(folder) && alive) {
            ask(folder);
        }
    }

    private void ask(Path folder) {
        jvm.writeLine(folder.toString());
        String answer = jvm.readLine();
        if (!answer.equals("hosting " + folder)) {
            throw new AssertionError(answer);
        }
    }

    synchronized void kill() {
        alive = false;
        jvm.kill();
    }

    synchronized void start() {
        jvm = ChildJvm.start(Main.class, List.of());
        alive = true;
        folders.forEach(this::ask);
    }

    void freeze() {
        jvm.signal("STOP");
    }

    void thaw() {
        jvm.signal("CONT");
    }

    @Override
    public void close() {
        jvm.close();
    }

    /** Hosts a hub in each folder that it reads the name of. */
    static final class Main {

        /** So that none is thought to be of no more use. */
        private static final List<IpcHub> HUBS = new ArrayList<>();

        private Main() {}

        public static void main(String[] args) throws IOException {
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8));
            for (String folder = input.readLine(); folder != null; folder = input.readLine()) {
                HUBS.add(IpcHub.start(IpcTests.config(Path.of(folder))));
                System.out.println("hosting " + folder);
            }
        }
    }
}
