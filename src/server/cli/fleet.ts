import type { Command } from 'commander'
import { formatPercent } from '../../shared/wording/format.ts'
import { addReadCommand, type ReadOptions } from './options.ts'
import { print, printJson, printTable, runningInWords } from './output.ts'

/** `fleet summary`. */
export function addFleetCommands(program: Command): void {
  const fleet = program.command('fleet').description('look at the devices of an app')

  addReadCommand(fleet, 'summary', 'count the devices of an app by channel and version')
    .argument('<app>', 'app, by ref or id')
    .action(summary)
}

async function summary(named: string, options: ReadOptions): Promise<void> {
  const { withFleet } = await import('./session.ts')
  const { requireApp } = await import('../catalog/catalog.ts')
  const { presenceOf } = await import('../updates/presence.ts')
  const { app, found, queryMs } = await withFleet(options, async (catalog, fleet) => {
    const { key, ref } = requireApp(catalog.snapshot, named).record
    const start = performance.now()
    const { summary } = await presenceOf({ catalog, fleet }, key)
    const queryMs = Math.round((performance.now() - start) * 1_000) / 1_000
    return { app: ref, found: summary, queryMs }
  })
  if (options.json) {
    printJson({ app, ...found, queryMs })
    return
  }
  const { devices, seenToday, seenLast7Days, seenLast30Days, last24Hours, channels } = found
  const seen = `seen ${seenToday} today, ${seenLast7Days} in 7 days, ${seenLast30Days} in 30 days`
  print(`${app}: ${devices} ${devices === 1 ? 'device' : 'devices'}, ${seen} (days in UTC)`)
  const { checkIns, anonymous, offers } = last24Hours
  print(`last 24 hours: ${checkIns} check-ins, ${anonymous} of them anonymous, ${offers} offers`)
  print('')
  printTable(
    ['CHANNEL', 'DEVICES', 'TODAY', '7 DAYS', '30 DAYS', 'CHECK-INS 24 H', 'ANONYMOUS', 'OFFERS'],
    channels.map(({ last24Hours, ...channel }) => [
      channel.channel,
      channel.devices,
      channel.seenToday,
      channel.seenLast7Days,
      channel.seenLast30Days,
      last24Hours.checkIns,
      last24Hours.anonymous,
      last24Hours.offers,
    ]),
    'The app has no channels.',
  )
  print('')
  printTable(
    ['CHANNEL', 'VERSION', 'DEVICES', 'SHARE', 'TODAY', '7 DAYS', '30 DAYS'],
    channels.flatMap(({ channel, versions }) =>
      versions.map((one) => [
        channel,
        runningInWords(one.version),
        one.devices,
        formatPercent(one.share * 100, 1),
        one.seenToday,
        one.seenLast7Days,
        one.seenLast30Days,
      ]),
    ),
    'No device has been seen yet.',
  )
}
