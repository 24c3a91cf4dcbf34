package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.postgres.PostgresDoctor.Finding;
import java.util.List;

/** What the doctor found. */
public final class DoctorFormat {

    private DoctorFormat() {}

    public static ObjectNode json(List<Finding> findings) {
        ObjectNode json = Json.object().put("serious", findings.stream().anyMatch(Finding::serious));
        json.set(
                "findings",
                Json.array(
                        findings,
                        finding -> Json.object()
                                .put("check", finding.check())
                                .put("serious", finding.serious())
                                .put("found", finding.found())
                                .put("advice", finding.advice())));
        return json;
    }
}
