package dev.posthorn.server;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "wire-test",
        description = {
            "Sends a marked event through a route and reports each hop: emitted, published, received by each consumer that was"
                    + " named. Consumers of Posthorn mark it in their inbox and call no handler, so it can be sent through a"
                    + " system at work; others see an event like any other.",
            "Ends with 1 if a hop is not reached in time, and says what stands in the way.",
            ""
        },
        footer = {"  posthorn wire-test --route main --domain transfers --type submitted.usdc --consumer gateway"})
final class WireTestCommand implements Callable<Integer> {

    @Mixin
    private Asked asked = new Asked();

    @Option(
            names = "--route",
            paramLabel = "NAME",
            defaultValue = "main",
            description = "The route to be tested. Default: ${DEFAULT-VALUE}.")
    private String route = "main";

    @Mixin
    private WireTestOptions options = new WireTestOptions();

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() throws InterruptedException {
        return options.run(route, asked, output);
    }
}
