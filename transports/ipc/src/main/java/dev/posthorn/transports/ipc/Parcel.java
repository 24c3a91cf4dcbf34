package dev.posthorn.transports.ipc;

/** A letter in the queue of one group. */
final class Parcel {

    final long number;
    final Posting posting;
    final Line line;
    int deliveries;

    Parcel(long number, Posting posting, Line line) {
        this.number = number;
        this.posting = posting;
        this.line = line;
    }

    Letter letter() {
        return posting.letter;
    }
}
