import type { Command } from 'commander'
import { Arch, ChannelName, DeviceId, LabelKey, LabelValue, Platform, Version } from '../../shared/names.ts'
import type { CatalogApp, Snapshot } from '../catalog/snapshot.ts'
import type { DeviceRecord } from '../fleet/store.ts'
import { addReadCommand, type ReadOptions, several, valid } from './options.ts'
import { print, printJson } from './output.ts'

/** `device show`, `device explain`. */
export function addDeviceCommands(program: Command): void {
  const device = program.command('device').description('show a device, explain its decision')

  addReadCommand(device, 'show', 'show what is known of a device')
    .argument('<app>', 'app, by ref or id')
    .argument('<id>', 'identifier of the device', valid(DeviceId))
    .action(show)

  addReadCommand(device, 'explain', 'say what a device is told on a channel, and why')
    .argument('<app>', 'app, by ref or id')
    .argument('<channel>', 'name of the channel', valid(ChannelName))
    .argument('<id>', 'identifier of the device', valid(DeviceId))
    .option('--version <version>', 'as if it ran this version', valid(Version))
    .option('--platform <platform>', 'as if it ran on this platform', valid(Platform))
    .option('--arch <arch>', 'as if it had this architecture', valid(Arch))
    .option('--label <key=value>', 'as if it had this label; repeatable', several(readLabel))
    .action(async (...given: Parameters<typeof import('./explain.ts').explain>) => {
      const { explain } = await import('./explain.ts')
      await explain(...given)
    })
}
