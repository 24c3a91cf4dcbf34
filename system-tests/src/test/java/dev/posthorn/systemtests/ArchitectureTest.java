package dev.posthorn.systemtests;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Clock;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    /** Calls that can send a text, or an array of them, to a database. */
    private static final DescribedPredicate<JavaMethodCall> BINDS_TEXT = DescribedPredicate.describe(
            "the target binds a text",
            call -> (call.getTargetOwner().isAssignableTo(PreparedStatement.class)
                            || call.getTargetOwner().isAssignableTo(Connection.class)
                            || call.getTargetOwner().isAssignableTo(ResultSet.class))
                    && call.getName()
                            .matches("(set|update)(N?String|Object|Array|N?CharacterStream|AsciiStream|N?Clob|SQLXML)"
                                    + "|createArrayOf|createStruct"));

    private static JavaClasses shipped;

    @BeforeAll
    static void readAllModules() throws IOException {
        shipped = Modules.classesOf(Modules.withCode());
    }

    @Test
    void theRulesSeeEveryModule() throws IOException {
        assertThat(shipped.size()).isGreaterThan(30);
        for (Path module : Modules.withCode()) {
            assertThat(Modules.of(module, shipped))
                    .as("%s is not compiled: list it before system-tests in the parent pom", module)
                    .isNotEmpty();
        }
    }

    @Test
    void dependenciesPointDown() {
        classes().should(Layers.pointDown()).check(shipped);
    }

    @Test
    void packagesAreFreeOfCycles() {
        slices().matching("dev.posthorn.(**)").should().beFreeOfCycles().check(shipped);
    }

    @Test
    void aModuleIsOnePackageAndAPackageOneModule() throws IOException {
        Set<String> seen = new HashSet<>();
        for (Path module : Modules.withCode()) {
            Set<String> packages = Modules.of(module, shipped).stream()
                    .map(JavaClass::getPackageName)
                    .collect(Collectors.toSet());
            assertThat(packages).as("packages of %s", module).hasSize(1);
            assertThat(seen).as("packages of other modules").doesNotContainAnyElementsOf(packages);
            seen.addAll(packages);
        }
    }

    @Test
    void onlyWhatOwnsAConnectionKnowsJdbc() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.posthorn.outbox..",
                        "dev.posthorn.claimcheck..", // stands around an outbox
                        "dev.posthorn.registry..",
                        "dev.posthorn.postgres..",
                        "dev.posthorn.embeddedpostgres..",
                        "dev.posthorn.transports.postgreslog..",
                        "dev.posthorn.examples..",
                        "dev.posthorn.demo..",
                        "dev.posthorn.benchmarks..",
                        "dev.posthorn.console..",
                        "dev.posthorn.server..",
                        "dev.posthorn.spring..",
                        "dev.posthorn.testkit.users..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "javax.sql..")
                .check(shipped);
    }

    @Test
    void onlyOneClassBindsTextsToStatements() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.posthorn.examples..", // with data of their own
                        "dev.posthorn.demo..",
                        "dev.posthorn.benchmarks..",
                        "dev.posthorn.testkit.users..")
                .and()
                .doNotHaveFullyQualifiedName("dev.posthorn.postgres.Parameters")
                .should()
                .callMethodWhere(BINDS_TEXT)
                .because(
                        "a text that Postgres cannot store aborts the transaction: Parameters makes it storable or refuses it")
                .check(shipped);
    }

    @Test
    void theCoreNeedsNothingButJavaAndSlf4j() {
        classes()
                .that()
                .resideInAnyPackage("dev.posthorn.event..", "dev.posthorn.outbox..", "dev.posthorn.transport..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "javax.sql..",
                        "org.jspecify..",
                        "org.slf4j..",
                        "dev.posthorn.event..",
                        "dev.posthorn.outbox..",
                        "dev.posthorn.transport..")
                .check(shipped);
    }

    @Test
    void relayAndStoresNeverLookAtTheClockOfTheirHost() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.posthorn.relay..", "dev.posthorn.postgres..")
                .and() // of the doctor, who compares the two clocks
                .doNotHaveSimpleName("ServerChecks")
                .should()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Clock.class)
                .because("expiry is on the database's clock, trust on a monotonic one")
                .check(shipped);
    }

    @Test
    void namesSayWhatAClassIs() {
        noClasses()
                .should()
                .haveNameMatching(".*(Util|Utils|Helper|Helpers|Impl)")
                .check(shipped);
    }
}
