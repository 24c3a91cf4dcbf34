package dev.posthorn.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Mixin;

/** A command that shows all there is of something: it asks once, prints the answer, and has no options of its own. */
abstract class Overview implements Callable<Integer> {

    private final Duration patience;
    private final Ask ask;
    private final Answers.Look look;
    private final Function<JsonNode, String> forPeople;

    @Mixin
    private Asked asked = new Asked();

    @Mixin
    private Output output = new Output();

    Overview(Duration patience, Ask ask, Answers.Look look, Function<JsonNode, String> forPeople) {
        this.patience = patience;
        this.ask = ask;
        this.look = look;
        this.forPeople = forPeople;
    }

    @Override
    public final Integer call() throws InterruptedException {
        output.print(asked.answers(patience).read(ask, look), forPeople);
        return 0;
    }
}
