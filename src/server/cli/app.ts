import type { Command } from 'commander'
import { AppRef, DisplayName } from '../../shared/names.ts'
import type { DataOptions } from './data-folder.ts'
import { addCommand, addReadCommand, type ReadOptions, valid } from './options.ts'
import { print, printJson, printTable } from './output.ts'
import { text } from './strings/catalog.ts'

const words = text.app

/** `app create`, `app list`. */
export function addAppCommands(program: Command): void {
  const app = program.command('app').description(words.description)

  addCommand(app, 'create', words.create)
    .argument('<ref>', words.ref, valid(AppRef))
    .option('--name <name>', words.name, valid(DisplayName))
    .option('--init', words.init)
    .action(createApp)

  addReadCommand(app, 'list', words.list).action(listApps)
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
  print(words.created(ref))
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
    words.headings,
    apps.map(({ ref, name, archived, channels, createdAt }) => {
      return [ref, name, archived ? words.archived : words.active, channels.join(', '), createdAt]
    }),
    words.empty,
  )
}
