package dev.posthorn.consoletests;

import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq;
import java.nio.file.Files;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Hands the one stage to whoever asks for it. Where a program is missing, tests are skipped and say why, or fail with CI=true. */
final class OnStage implements ParameterResolver {

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == Stage.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        requirePrograms();
        return test.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .computeIfAbsent(Stage.class, unused -> new Stage(), Stage.class);
    }

    static void requirePrograms() {
        require(Files.isExecutable(Stage.CHROMIUM), "Chromium is not installed: there is no " + Stage.CHROMIUM);
        require(EmbeddedRabbitMq.isInstalled(), "RabbitMQ is not installed");
    }

    private static void require(boolean isThere, String why) {
        if (!isThere && "true".equals(System.getenv("CI"))) {
            throw new AssertionError("CI must run this test, but " + why);
        }
        if (!isThere) {
            System.out.println("skipped: " + why);
            Assumptions.abort(why);
        }
    }
}
