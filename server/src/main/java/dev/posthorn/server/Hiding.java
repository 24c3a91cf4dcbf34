package dev.posthorn.server;

import dev.posthorn.console.Disclosure;
import dev.posthorn.privacy.Redaction;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

/** The option that hides values from whoever reads an answer. */
final class Hiding {

    @Option(
            names = "--redact",
            paramLabel = "FIELD,...",
            defaultValue = "${env:POSTHORN_PRIVACY_REDACT}",
            showDefaultValue = Visibility.NEVER,
            description =
                    "Shows *** in place of these fields and headers, by name or by path such as customer.email, and of what looks"
                            + " like an e-mail address, a card number, an IBAN or a phone number. Default: the environment"
                            + " variable POSTHORN_PRIVACY_REDACT. With --url it is the process that hides.")
    private @Nullable String fields;

    Disclosure disclosure() {
        return of(fields == null ? List.of() : Form.split(fields));
    }

    /** Of these fields; all is shown if there are none. */
    static Disclosure of(List<String> fields) {
        return fields.isEmpty() ? Disclosure.WHOLE : Disclosure.hiding(Redaction.of(fields));
    }
}
