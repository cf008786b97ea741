import type { Command } from 'commander'
import { addReadCommand, type ReadOptions } from './options.ts'
import { print, printJson, printTable, runningInWords } from './output.ts'
import { text as common } from './strings/common.ts'
import { text } from './strings/device.ts'

const words = text.fleet

/** `fleet summary`. */
export function addFleetCommands(program: Command): void {
  const fleet = program.command('fleet').description(words.description)

  addReadCommand(fleet, 'summary', words.summary)
    .argument('<app>', common.appArgument)
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
  print(words.devices(app, devices, seenToday, seenLast7Days, seenLast30Days))
  const { checkIns, anonymous, offers } = last24Hours
  print(words.last24Hours(checkIns, anonymous, offers))
  print('')
  printTable(
    words.channelHeadings,
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
    words.noChannels,
  )
  print('')
  printTable(
    words.versionHeadings,
    channels.flatMap(({ channel, versions }) =>
      versions.map((one) => [
        channel,
        runningInWords(one.version),
        one.devices,
        words.share(one.share),
        one.seenToday,
        one.seenLast7Days,
        one.seenLast30Days,
      ]),
    ),
    words.noDevices,
  )
}
