package dev.posthorn.transports.ipc;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Subscriber;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection at a hub: greets, and then is either a publisher or a member. Belongs to the hub's thread. */
final class Caller implements Wire.Owner {

    private static final Logger LOG = LoggerFactory.getLogger(Caller.class);
    /** So much may wait for room in queues before nothing more is read. */
    private static final int WAITING_LETTERS = 1_000;

    private static final long WAITING_BYTES = 4L << 20;
    private static final long DEFAULT_ANSWER_MILLIS = 10_000;

    private final Switchboard board;
    private @Nullable Wire wire;
    private @Nullable Seat seat;
    private boolean greeted;
    private boolean publishes;
    private long patience;
    private int waitingLetters;
    private long waitingBytes;

    Caller(Switchboard board) {
        this.board = board;
    }

    void wire(Wire made) {
        wire = made;
    }

    boolean isGreeted() {
        return greeted;
    }

    boolean isMember() {
        return seat != null;
    }

    /** In nanoseconds, for its letters to be answered. */
    long patience() {
        return patience;
    }

    Wire wire() {
        if (wire == null) {
            throw new IllegalStateException("a caller without a wire");
        }
        return wire;
    }

    void send(ByteBuffer... parts) {
        wire().send(parts);
    }

    /** It does not read as fast as it is written to. */
    boolean isCongested() {
        return wire().pending() > Wire.HIGH_WATER;
    }

    @Override
    public void received(ByteBuffer frame) throws BadFrameException {
        try {
            take(new FrameReader(frame));
        } catch (BadFrameException bad) {
            end(String.valueOf(bad.getMessage()));
        }
        if (isCongested()) {
            throttle();
        }
    }

    private void take(FrameReader frame) throws BadFrameException {
        byte type = frame.number1();
        if (!greeted) {
            greet(type, frame);
            return;
        }
        switch (type) {
            case Frames.PUBLISH -> publish(frame);
            case Frames.JOIN -> join(frame);
            case Frames.DONE, Frames.REJECT, Frames.BACK -> settle(type, frame);
            case Frames.LEAVE -> member().leaving = true;
            case Frames.PING -> send(Frames.numbered(Frames.PONG, frame.number8()));
            case Frames.PONG -> frame.number8();
            default -> throw new BadFrameException("there is no frame of type " + type);
        }
    }

    private void greet(byte type, FrameReader frame) throws BadFrameException {
        if (type != Frames.HELLO || frame.number4() != Frames.MAGIC) {
            throw new BadFrameException("it does not greet as a process of Posthorn does");
        }
        byte version = frame.number1();
        if (version != Frames.VERSION) {
            throw new BadFrameException(
                    "it speaks version " + version + " of the protocol, and this hub version " + Frames.VERSION);
        }
        int answer = frame.number4();
        frame.end();
        greeted = true;
        patience = board.patience(answer > 0 ? answer : DEFAULT_ANSWER_MILLIS);
        wire().largest(board.limits().largestFrame());
        send(Frames.welcome(board.limits().largestFrame()));
    }

    private void publish(FrameReader frame) throws BadFrameException {
        if (seat != null) {
            throw new BadFrameException("a member can not publish on the same connection");
        }
        publishes = true;
        long number = frame.number8();
        Acceptance acceptance = frame.acceptance();
        Letter letter = Letter.read(frame);
        Posting posting = new Posting(this, number, letter, acceptance, System.nanoTime() + patience);
        waitingLetters++;
        waitingBytes += letter.size();
        board.publish(posting);
        throttle();
    }

    private void join(FrameReader frame) throws BadFrameException {
        if (publishes || seat != null) {
            throw new BadFrameException("it publishes or is a member already, and can not join on the same connection");
        }
        int prefetch = frame.number4();
        Group.Wishes wishes = new Group.Wishes(frame.text(), frame.texts(), frame.texts());
        try {
            Subscriber unused = Subscriber.named(wishes.subscriber());
        } catch (PosthornException impossible) {
            throw new BadFrameException(String.valueOf(impossible.getMessage()));
        }
        frame.end();
        seat = board.join(wishes, this, prefetch);
    }

    private void settle(byte type, FrameReader frame) throws BadFrameException {
        Seat own = member();
        Parcel parcel = own.has(frame.number8());
        if (parcel == null) {
            return; // it was settled before
        }
        switch (type) {
            case Frames.DONE -> own.group.settled(own, parcel);
            case Frames.REJECT -> board.reject(own, parcel, frame.text(), frame.moreHeaders());
            default -> {
                parcel.deliveries--;
                own.group.giveBack(own, parcel);
            }
        }
    }

    private Seat member() throws BadFrameException {
        if (seat == null) {
            throw new BadFrameException("it settles without being a member");
        }
        return seat;
    }

    void answer(Posting posting, long number, byte outcome, String reason) {
        waitingLetters--;
        waitingBytes -= posting.letter.size();
        board.answered(posting);
        if (!wire().isClosed()) {
            send(Frames.answer(number, outcome, reason));
            throttle();
        }
    }

    /** Reads on only while it has not too much here, and takes what it is sent. */
    private void throttle() {
        wire().reading(waitingLetters < WAITING_LETTERS && waitingBytes < WAITING_BYTES && !isCongested());
    }

    @Override
    public void drained() {
        throttle();
        if (seat != null) {
            seat.group.handOut();
        }
    }

    void end(String reason) {
        if (greeted) {
            wire().closeSaying(Frames.bye(reason), reason);
        } else {
            wire().close(reason);
        }
    }

    @Override
    public void lost(String reason) {
        if (reason.equals(Wire.LEFT)) {
            LOG.debug("A connection to {} has ended: {}", board, reason);
        } else {
            LOG.warn("A connection to {} has ended: {}", board, reason);
        }
        board.lost(this);
        if (seat != null) {
            seat.group.left(seat);
        }
    }
}
