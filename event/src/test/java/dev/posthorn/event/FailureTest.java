package dev.posthorn.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FailureTest {

    private static final class Hostile extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message for you");
        }
    }

    @Test
    void aReasonIsTheClassAndTheMessage() {
        assertThat(Failure.reasonOf(new IllegalStateException("broken"))).isEqualTo("IllegalStateException: broken");
        assertThat(Failure.reasonOf(new IllegalStateException())).isEqualTo("IllegalStateException");
    }

    @Test
    void aReasonCanBeStored() {
        assertThat(Failure.reasonOf(new IllegalStateException("a\0b"))).isEqualTo("IllegalStateException: a\uFFFDb");
        assertThat(Failure.reasonOf(new Error("x".repeat(1 << 20)))).hasSize(StorableText.LONGEST_REMARK);
    }

    @Test
    void anExceptionWhoseMessageThrowsHasAReason() {
        assertThat(Failure.reasonOf(new Hostile()))
                .isEqualTo("Hostile: its message cannot be read: IllegalStateException");
    }

    @Test
    void anExceptionWithoutASimpleNameIsNamed() {
        assertThat(Failure.reasonOf(new RuntimeException() {
                    private static final long serialVersionUID = 1L;
                }))
                .startsWith("dev.posthorn.event.FailureTest$");
    }

    @Test
    void whatCanBeLoggedStaysTheSameAndTheRestIsReplaced() {
        RuntimeException harmless = new IllegalStateException("broken");
        RuntimeException hostile = new Hostile();

        assertThat(Failure.loggable(harmless)).isSameAs(harmless);
        assertThat(Failure.loggable(new IllegalStateException("outer", hostile)))
                .hasMessage("IllegalStateException: outer");
        assertThat(Failure.loggable(hostile))
                .hasMessage(Failure.reasonOf(hostile))
                .satisfies(instead -> assertThat(instead.getStackTrace()).isEqualTo(hostile.getStackTrace()));
    }

    @Test
    void aChainOfCausesEndsWhereItBeginsAnew() {
        RuntimeException inner = new IllegalStateException("inner");
        RuntimeException outer = new IllegalStateException("outer", inner);
        inner.initCause(outer);

        assertThat(Failure.chainOf(outer)).containsExactly(outer, inner);
    }
}
