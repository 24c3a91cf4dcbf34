package dev.posthorn.postgres;

import dev.posthorn.archive.Archive;
import dev.posthorn.archive.ArchiveException;
import dev.posthorn.archive.ArchivedEvent;
import dev.posthorn.archive.Draft;
import dev.posthorn.archive.Volume;
import dev.posthorn.archive.VolumeReader;
import java.util.List;
import java.util.function.LongConsumer;

/** An archive in which a test does something, or fails, at one of its steps. */
final class FailingArchive implements Archive {

    enum Step {
        BEFORE_BEGIN,
        AFTER_BEGIN,
        BEFORE_FIRST_EVENT,
        AFTER_FIRST_EVENT,
        BEFORE_LATER_EVENT,
        AFTER_LATER_EVENT,
        BEFORE_FINISH,
        AFTER_FINISH
    }

    private static final int LATER = 1_500;

    private final Archive real;
    private final Step at;
    private final Runnable happens;

    FailingArchive(Archive real, Step at) {
        this(real, at, () -> {
            throw new ArchiveException("the test let it fail " + at, null);
        });
    }

    FailingArchive(Archive real, Step at, Runnable happens) {
        this.real = real;
        this.at = at;
        this.happens = happens;
    }

    @Override
    public Draft begin() {
        reached(Step.BEFORE_BEGIN);
        Draft draft = real.begin();
        reached(Step.AFTER_BEGIN);
        return new FailingDraft(draft);
    }

    @Override
    public List<Volume> list() {
        return real.list();
    }

    @Override
    public VolumeReader read(String name) {
        return real.read(name);
    }

    @Override
    public Volume verify(String name, LongConsumer progress) {
        return real.verify(name, progress);
    }

    private void reached(Step step) {
        if (step == at) {
            happens.run();
        }
    }

    private final class FailingDraft implements Draft {

        private final Draft draft;
        private int events;

        FailingDraft(Draft draft) {
            this.draft = draft;
        }

        @Override
        public void add(ArchivedEvent event) {
            events++;
            reached(
                    events == 1
                            ? Step.BEFORE_FIRST_EVENT
                            : events == LATER ? Step.BEFORE_LATER_EVENT : Step.AFTER_BEGIN);
            draft.add(event);
            reached(events == 1 ? Step.AFTER_FIRST_EVENT : events == LATER ? Step.AFTER_LATER_EVENT : Step.AFTER_BEGIN);
        }

        @Override
        public Volume finish() {
            reached(Step.BEFORE_FINISH);
            Volume volume = draft.finish();
            reached(Step.AFTER_FINISH);
            return volume;
        }

        @Override
        public void close() {
            draft.close();
        }
    }
}
