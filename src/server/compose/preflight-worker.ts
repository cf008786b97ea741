import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PreflightProgress } from '../../shared/releases/preflight.ts'
import { keyOf } from '../catalog/releases/draft-content.ts'
import { askFeed } from '../http/update-feeds/feed-answers.ts'
import { factsReadBy, GroupTally } from '../preflight/groups.ts'
import { Judge, type Judgement, trialOf } from '../preflight/judge.ts'
import { compileChannel } from '../rules/decision/compile.ts'
import { serveTasks } from '../runtime/threads/serve-tasks.ts'
import { readScan } from '../storage/open-scan.ts'
import { sizeKey } from '../use-cases/releases/partial-downloads.ts'
import type { PreflightPlan } from '../use-cases/releases/preflight.ts'

/** Groups that are checked between two looks at whether the task was stopped. */
const SLICE = 20

serveTasks<PreflightPlan, Judgement, PreflightProgress>(
  async ({ app, record, releases, tried, scan, files, changed, now }, _, onProgress) => {
    const compiled = compileChannel(record.policy, releases)
    const trial = trialOf(
      { app, record, compiled },
      tried,
      askFeed,
      files,
      (client, version, file) => changed[client]?.get(sizeKey(version, keyOf(file))),
    )
    const tally = new GroupTally(factsReadBy(trial.channel.compiled))
    for await (const devices of readScan(scan.ticket)) {
      for (const device of devices) tally.add(device)
      onProgress({ step: 'devices', done: tally.devices, total: scan.devices })
      // For the timer that reports it.
      await nextTurn()
    }
    const judge = new Judge(trial, tally.groups(), now)
    let done = 0
    for (const _checked of judge.run()) {
      done += 1
      if (done % SLICE > 0) continue
      onProgress({ step: 'updates', done, total: judge.size })
      await nextTurn()
    }
    return judge.result(tally.unknown)
  },
)
