package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.archive.Archive;
import dev.posthorn.operations.Health;
import dev.posthorn.postgres.PostgresDoctor;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

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
     * @param doctor tells a doctor what this process knows of itself
     */
    public record ProcessFacts(
            String version,
            Supplier<ObjectNode> config,
            Retention retention,
            Optional<Archive> archive,
            Optional<ObjectNode> registry,
            Disclosure disclosure,
            UnaryOperator<PostgresDoctor> doctor) {

        /** Of a process without a registry that hides nothing and has no more to tell than how long things are kept. */
        public ProcessFacts(
                String version, Supplier<ObjectNode> config, Retention retention, Optional<Archive> archive) {
            this(version, config, retention, archive, Optional.empty(), Disclosure.WHOLE, retention::tell);
        }
    }
}
