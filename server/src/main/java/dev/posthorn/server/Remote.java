package dev.posthorn.server;

import dev.posthorn.console.GeneratedToken;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that name a process to ask in place of the database. */
final class Remote {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--url",
            paramLabel = "URL",
            description =
                    "Asks a process that answers over HTTP, such as http://127.0.0.1:8025, instead of the database.")
    private @Nullable URI url;

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            defaultValue = "${env:POSTHORN_TOKEN}",
            showDefaultValue = Visibility.NEVER,
            description =
                    "The token to send. Default: the environment variable POSTHORN_TOKEN, which keeps it out of the list of"
                            + " processes, then the token that a process of the same user on this host generated.")
    private @Nullable String token;

    boolean isAsked() {
        return url != null;
    }

    /** From there. */
    HttpAnswers http(Duration patience, HttpAnswers.Progress progress) {
        URI asked = Objects.requireNonNull(url, "ask isAsked() before");
        if (command.commandLine().getParseResult().hasMatchedOption("--database-url")) {
            throw new ParameterException(
                    command.commandLine(), "--url and --database-url are two places to ask. Give one of them.");
        }
        URI place = checked(asked);
        Optional<String> given = Optional.ofNullable(token).filter(text -> !text.isBlank());
        return new HttpAnswers(place, given.or(() -> GeneratedToken.of(place)), patience, progress);
    }

    private URI checked(URI given) {
        boolean http = "http".equals(given.getScheme()) || "https".equals(given.getScheme());
        if (!http || given.getHost() == null) {
            throw new ParameterException(
                    command.commandLine(),
                    "--url must look like http://127.0.0.1:8025 or https://posthorn.example.com.");
        }
        return given;
    }
}
