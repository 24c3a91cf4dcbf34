package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.event.PosthornException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The long work of this process: a few at a time, and the last ones remembered. Thread-safe. */
final class Jobs implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Jobs.class);
    private static final int AT_A_TIME = 2;
    private static final int REMEMBERED = 100;

    private final Map<Long, Job> jobs = new ConcurrentSkipListMap<>();
    private final AtomicLong number = new AtomicLong();
    private final ExecutorService threads =
            new ThreadPoolExecutor(0, AT_A_TIME, 60, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
                Thread created = new Thread(work, "posthorn-console-job");
                created.setDaemon(true);
                return created;
            });

    /** Begins at once, or refuses. */
    synchronized Job start(Job.Order order, Instant now, long total, Job.Work work) {
        if (jobs.values().stream().filter(Job::isRunning).count() >= AT_A_TIME) {
            throw Refusal.of(
                    429,
                    "too-many-jobs",
                    AT_A_TIME + " jobs are running in this process. Wait for one, or stop it; see /v1/jobs.");
        }
        Job job = new Job(order, now, total);
        threads.execute(() -> run(job, work));
        jobs.put(number.incrementAndGet(), job);
        if (jobs.size() > REMEMBERED) {
            jobs.remove(jobs.keySet().iterator().next());
        }
        return job;
    }

    private static void run(Job job, Job.Work work) {
        try {
            boolean whole = work.run(job);
            job.ended(whole ? Job.State.DONE : Job.State.STOPPED, Optional.empty());
        } catch (PosthornException failed) {
            job.ended(Job.State.FAILED, Optional.of(Secrets.mask(String.valueOf(failed.getMessage()))));
        } catch (InterruptedException ending) {
            job.ended(Job.State.STOPPED, Optional.of("the process ends"));
            Thread.currentThread().interrupt();
        } catch (Exception unexpected) {
            LOG.warn("Job {} failed", job.id(), unexpected);
            job.ended(Job.State.FAILED, Optional.of("something went wrong here; see the log of the process"));
        }
    }

    /** The newest first. */
    List<Job> all() {
        List<Job> all = new ArrayList<>(jobs.values());
        Collections.reverse(all);
        return all;
    }

    Job find(UUID id) {
        return jobs.values().stream()
                .filter(job -> job.id().equals(id))
                .findFirst()
                .orElseThrow(() -> Refusal.missing(
                        "This process knows no job " + id + ". It may be another process's, or of before a restart."));
    }

    ObjectNode json() {
        ObjectNode json = Json.object();
        json.set("jobs", Json.array(all(), Job::json));
        return json;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
