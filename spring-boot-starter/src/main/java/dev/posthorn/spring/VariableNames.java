package dev.posthorn.spring;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Finds environment variables that were meant for a property and would reach none: in a variable, a hyphen of the property's name is
 * left out, and not an underscore.
 */
final class VariableNames {

    private static final Pattern RETRY_BY_TYPE =
            Pattern.compile("POSTHORN_ROUTES_(.+?)_RETRY_?BY_?TYPE_(.+)", Pattern.CASE_INSENSITIVE);

    private VariableNames() {}

    static void check(Environment environment, StartFaults faults) {
        if (environment instanceof ConfigurableEnvironment configurable) {
            configurable.getPropertySources().stream()
                    .filter(SystemEnvironmentPropertySource.class::isInstance)
                    .map(SystemEnvironmentPropertySource.class::cast)
                    .flatMap(source -> source.getSource().keySet().stream())
                    .forEach(name -> check(name, faults));
        }
    }

    private static void check(String variable, StartFaults faults) {
        Matcher meant = RETRY_BY_TYPE.matcher(variable);
        if (meant.matches() && !variable.toUpperCase(Locale.ROOT).contains("_RETRYBYTYPE_")) {
            faults.add("the variable " + variable + " reaches no property: write POSTHORN_ROUTES_"
                    + meant.group(1) + "_RETRYBYTYPE_" + meant.group(2) + ", which stands for the event type "
                    + meant.group(2).toLowerCase(Locale.ROOT).replace('_', '.'));
        }
    }
}
