package dev.posthorn.transports.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.ShutdownSignalException;
import dev.posthorn.testkit.TrackedPublication;
import dev.posthorn.transport.Outcome;
import java.io.EOFException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EndOfChannelTest {

    private final Sending sending = sending();

    private static Sending sending() {
        Sending sending = new Sending(new TrackedPublication(Town.events(1, 1).get(0), 1), Duration.ofSeconds(1));
        assertThat(sending.begin("shop.events")).isTrue();
        return sending;
    }

    @Test
    void aConnectionThatIsLostIsNoFaultOfAnEvent() {
        ShutdownSignalException lost = signal(true, false, null);
        lost.initCause(new EOFException());

        assertThat(EndOfChannel.outcomeOf(sending, lost)).isInstanceOf(Outcome.Unavailable.class);
    }

    @Test
    void whatTheBrokerLacksIsNoFaultOfAnEvent() {
        List<Integer> lacking = List.of(
                AMQP.CONNECTION_FORCED,
                AMQP.INVALID_PATH,
                AMQP.ACCESS_REFUSED,
                AMQP.RESOURCE_ERROR,
                AMQP.NOT_ALLOWED,
                AMQP.INTERNAL_ERROR);

        assertThat(lacking)
                .allSatisfy(code -> assertThat(
                                EndOfChannel.outcomeOf(sending, signal(true, false, connectionClose(code))))
                        .as("code " + code)
                        .isInstanceOf(Outcome.Unavailable.class));
    }

    @Test
    void whatTheBrokerDidNotUnderstandMayBeThisEvent() {
        List<Integer> confused = List.of(
                AMQP.FRAME_ERROR,
                AMQP.SYNTAX_ERROR,
                AMQP.COMMAND_INVALID,
                AMQP.CHANNEL_ERROR,
                AMQP.UNEXPECTED_FRAME,
                AMQP.NOT_IMPLEMENTED);

        assertThat(confused)
                .allSatisfy(code -> assertThat(
                                EndOfChannel.outcomeOf(sending, signal(true, false, connectionClose(code))))
                        .as("code " + code)
                        .isInstanceOf(Outcome.Unknown.class));
    }

    @Test
    void aChannelThatIsClosedForOneMessageRefusesThatOneOnly() {
        int size = sending.size();

        assertThat(after("PRECONDITION_FAILED - message size " + size + " is larger than the limit"))
                .isInstanceOf(Outcome.Refused.class);
        assertThat(after("PRECONDITION_FAILED - message size " + (size + 1) + " is larger than the limit"))
                .isInstanceOf(Outcome.Unavailable.class);
    }

    @Test
    void aMissingOrForbiddenExchangeIsNoFaultOfAnEvent() {
        assertThat(after("NOT_FOUND - no exchange 'shop.events' in vhost '/'")).isInstanceOf(Outcome.Unavailable.class);
        assertThat(after("ACCESS_REFUSED - write access to exchange 'shop.events' in vhost '/' refused for user 'x'"))
                .isInstanceOf(Outcome.Unavailable.class);
    }

    @Test
    void anotherComplaintAboutAChannelMayBeAboutThisEvent() {
        assertThat(after("PRECONDITION_FAILED - invalid message")).isInstanceOf(Outcome.Unknown.class);
    }

    @Test
    void whatWasOnTheWayWhenThePublisherClosedMayHaveArrived() {
        assertThat(EndOfChannel.outcomeOf(sending, signal(true, true, connectionClose(AMQP.REPLY_SUCCESS))))
                .isInstanceOf(Outcome.Unknown.class);
    }

    private Outcome after(String complaint) {
        return EndOfChannel.outcomeOf(
                sending,
                signal(
                        false,
                        false,
                        new AMQP.Channel.Close.Builder()
                                .replyCode(AMQP.PRECONDITION_FAILED)
                                .replyText(complaint)
                                .classId(60)
                                .methodId(40)
                                .build()));
    }

    private static AMQP.Connection.Close connectionClose(int code) {
        return new AMQP.Connection.Close.Builder()
                .replyCode(code)
                .replyText("the broker says " + code)
                .classId(0)
                .methodId(0)
                .build();
    }

    private static ShutdownSignalException signal(boolean hard, boolean byUs, @Nullable Method reason) {
        return new ShutdownSignalException(hard, byUs, reason, "a connection");
    }
}
