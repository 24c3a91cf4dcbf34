package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.archive.Archive;
import dev.posthorn.operations.Health;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a console tells of its process.
 *
 * @param tokens who may come in
 * @param health how the process is
 * @param metrics what a scrape shows
 * @param facts what does not change
 */
public record ConsoleSetup(
        Tokens tokens, Supplier<Health.Report> health, Supplier<String> metrics, ProcessFacts facts) {

    /**
     * What does not change while it runs.
     *
     * @param version of Posthorn
     * @param config the effective configuration, without secrets
     * @param retention by which it prunes
     * @param archive where events go that leave the log
     * @param registry what it checks events against: a mode, and a list of types; empty: nothing is checked
     * @param disclosure how much of payloads and headers it shows to who is no admin
     */
    public record ProcessFacts(
            String version,
            Supplier<ObjectNode> config,
            Retention retention,
            Optional<Archive> archive,
            Optional<ObjectNode> registry,
            Disclosure disclosure) {}
}
