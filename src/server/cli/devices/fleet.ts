import type { Command } from 'commander'
import type { FleetCounts } from '../../../shared/console/command-line.ts'
import { addServerCommand, type CommandOptions, onServer } from '../command/options.ts'
import { print, printAnswer, printTable, runningInWords } from '../command/output.ts'
import { FleetDocument } from '../documents/documents.ts'
import { text as common } from '../strings/common.ts'
import { text } from '../strings/device.ts'

const words = text.fleet

/** `fleet summary`. */
export function addFleetCommands(program: Command): void {
  const fleet = program.command('fleet').description(words.description)

  addServerCommand(fleet, 'summary', words.summary, FleetDocument)
    .argument('<app>', common.appArgument)
    .action(summary)
}

async function summary(named: string, options: CommandOptions): Promise<void> {
  const found = await onServer(options, (server) => server.commandLine.fleet.query({ app: named }))
  printAnswer(options, FleetDocument, found, () => printFleet(found))
}

function printFleet(found: FleetCounts): void {
  const { app, devices, seenToday, seenLast7Days, seenLast30Days, last24Hours, channels } = found
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
