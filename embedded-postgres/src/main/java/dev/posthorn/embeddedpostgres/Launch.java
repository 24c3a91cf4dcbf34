package dev.posthorn.embeddedpostgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * All it takes to start a server, and to start it again.
 *
 * @param instance the folder of this server, not there before its first start
 * @param template what its data starts as
 * @param command the server's, without its port
 */
record Launch(Path instance, Path template, List<String> command) {

    static Launch prepare(Binaries binaries, Folders folders, Map<String, String> settings)
            throws IOException, InterruptedException {
        return onCopyOf(Template.of(binaries, folders), binaries, folders, settings);
    }

    /** With data that starts as a copy of this folder, which is not needed once the server runs. */
    static Launch onCopyOf(Path template, Binaries binaries, Folders folders, Map<String, String> settings) {
        Path instance = folders.instance();
        List<String> command = new ArrayList<>();
        command.add(binaries.folder().resolve("postgres").toString());
        command.addAll(List.of("-D", dataOf(instance).toString()));
        settings.forEach((name, value) -> command.addAll(List.of("-c", name + "=" + value)));
        command.addAll(List.of("-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="));
        return new Launch(instance, template, folders.account().command(command));
    }

    Supervisor onPort(int port) throws IOException {
        Files.deleteIfExists(log());
        Files.deleteIfExists(ended());
        List<String> onPort = new ArrayList<>(command);
        onPort.addAll(List.of("-p", Integer.toString(port)));
        return Supervisor.start(this, onPort);
    }

    Path data() {
        return dataOf(instance);
    }

    Path log() {
        return instance.resolve("log");
    }

    /** Holds the server's process id while it runs. */
    Path pid() {
        return instance.resolve("pid");
    }

    /** There when the server has ended. */
    Path ended() {
        return instance.resolve("ended");
    }

    private static Path dataOf(Path instance) {
        return instance.resolve("data");
    }
}
