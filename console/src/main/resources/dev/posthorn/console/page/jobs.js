// Long work that was started here.

import { get } from './api.js';
import { h } from './dom.js';
import { count } from './format.js';
import { body, card, empty, facts, state, table, time, title } from './parts.js';
import { curl, fromShell } from './shell.js';
import { jobProgress } from './decide.js';

export const jobs = {
  name: 'Jobs', nav: 'jobs', path: 'jobs', icon: 'jobs', group: 'Decide', letter: 'j', every: 3,

  load: ({ signal }) => get(['jobs'], {}, signal),

  view: (data) => [
    title('Jobs', 'Bulk work that was started over HTTP, in this process, since it runs. The audit has all of it for good.'),
    card(null, data.jobs.length === 0
      ? empty('jobs', 'No job ran yet', 'Redriving or discarding many dead letters becomes a job: with a rate, with progress, and it can be stopped.')
      : table('Jobs', [
        { name: 'Started', cell: (job) => time(job.started_at) },
        { name: 'What', cell: (job) => h('a', { href: `#/jobs/${job.id}` }, job.action) },
        { name: 'State', cell: (job) => state(job.state) },
        { name: 'Done', number: true, cell: (job) => `${count(job.count)} of ${count(job.total)}` },
        { name: 'Who', cell: (job) => job.who },
        { name: 'Reason', cell: (job) => h('span', { class: 'break' }, job.reason) },
      ], data.jobs, { key: (job) => job.id, href: (job) => `#/jobs/${job.id}` })),
    fromShell(null, curl(['jobs'])),
  ],
};

export const job = {
  name: 'Job', nav: 'jobs', every: 2,

  load: ({ params, signal }) => get(['jobs', params[0]], {}, signal),

  view: (data) => [
    title(`${data.action} by ${data.who}`, data.reason),
    card(null, body(jobProgress(data), facts([['Started', time(data.started_at)], ['Job', h('code', null, data.id)]]))),
    fromShell(null, curl(['jobs', data.id])),
  ],
};
