import type { Command } from 'commander'
import { AppRef, DisplayName } from '../../shared/names.ts'
import type { DataOptions } from './data-folder.ts'
import { addCommand, addReadCommand, type ReadOptions, valid } from './options.ts'
import { print, printJson, printTable } from './output.ts'

/** `app create`, `app list`. */
export function addAppCommands(program: Command): void {
  const app = program.command('app').description('create and list apps')

  addCommand(app, 'create', 'create an app with the channel "stable"')
    .argument('<ref>', 'what the app is called in addresses and commands', valid(AppRef))
    .option('--name <name>', 'name for people (default: the ref)', valid(DisplayName))
    .option('--init', 'create the data folder and its database first if there is none')
    .action(createApp)

  addReadCommand(app, 'list', 'list the apps').action(listApps)
}

interface CreateOptions extends DataOptions {
  readonly name?: string
  readonly init?: boolean
}

async function createApp(ref: string, options: CreateOptions): Promise<void> {
  const { withCatalog, withNewCatalog, commandLinePrincipal } = await import('./session.ts')
  const { createApp } = await import('../updates/manage-apps.ts')
  const { name, init = false } = options
  const onCatalog = init ? withNewCatalog : withCatalog
  await onCatalog(options, (catalog) =>
    createApp({ catalog }, commandLinePrincipal(), { ref, name }),
  )
  print(`Created the app ${ref} with the channel stable.`)
}

async function listApps(options: ReadOptions): Promise<void> {
  const { withCatalog } = await import('./session.ts')
  const apps = await withCatalog(options, async ({ snapshot }) =>
    snapshot.apps.map(({ record: { id, ref, name, createdAt, archivedAt }, channels }) => {
      const archived = archivedAt !== null
      return { id, ref, name, createdAt, archived, channels: [...channels.keys()] }
    }),
  )
  if (options.json) {
    printJson({ apps })
    return
  }
  printTable(
    ['REF', 'NAME', 'STATUS', 'CHANNELS', 'CREATED'],
    apps.map(({ ref, name, archived, channels, createdAt }) => {
      return [ref, name, archived ? 'archived' : 'active', channels.join(', '), createdAt]
    }),
    'There are no apps yet. Create one with "app create".',
  )
}
