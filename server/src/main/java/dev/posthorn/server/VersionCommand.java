package dev.posthorn.server;

import dev.posthorn.console.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "version",
        description = "Prints the versions of Posthorn and of the Java it runs on.",
        footer = {"  posthorn version --json"})
final class VersionCommand implements Callable<Integer> {

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() {
        String java = System.getProperty("java.version", "unknown");
        output.print(
                () -> Json.object().put("posthorn", Version.number()).put("java", java),
                () -> "posthorn " + Version.number() + ", Java " + java);
        return 0;
    }
}
