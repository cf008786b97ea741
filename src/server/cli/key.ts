import type { Command } from 'commander'
import { ALL_SCOPES, Scope } from '../../shared/key.ts'
import { DisplayName } from '../../shared/names.ts'
import { KeyDocument, KeysDocument, MintedKeyDocument } from './documents/documents.ts'
import { addServerCommand, type CommandOptions, several, valid } from './options.ts'
import { print, printJson, printTable } from './output.ts'
import { text } from './strings/catalog.ts'

const words = text.key

/** `key mint`, `key list`, `key revoke`. */
export function addKeyCommands(program: Command): void {
  const key = program.command('key').description(words.description)

  addServerCommand(key, 'mint', words.mint, MintedKeyDocument)
    .argument('<name>', words.name, valid(DisplayName))
    .option('--scope <scope>', words.scope(Scope.options), several(valid(Scope)))
    .option('--app <app>', words.app)
    .option('--bypass-approval', words.bypassApproval)
    .action(mint)

  addServerCommand(key, 'list', words.list, KeysDocument).action(list)

  addServerCommand(key, 'revoke', words.revoke, KeyDocument)
    .argument('<prefix>', words.prefix)
    .action(revoke)
}

interface MintOptions extends CommandOptions {
  readonly scope?: readonly Scope[]
  readonly app?: string
  readonly bypassApproval?: true
}

async function mint(name: string, options: MintOptions): Promise<void> {
  const { withServer } = await import('./server/connect.ts')
  const { scope = ALL_SCOPES, app = null, bypassApproval = false } = options
  const minted = await withServer(options, (server) =>
    server.keys.mint.mutate({ name, scopes: [...scope], app, bypassApproval }),
  )
  if (options.json) printJson(MintedKeyDocument, minted)
  else print(minted.secret)
}

async function list(options: CommandOptions): Promise<void> {
  const { withServer } = await import('./server/connect.ts')
  const listed = await withServer(options, (server) => server.keys.list.query())
  const keys = listed.toReversed()
  if (options.json) {
    printJson(KeysDocument, { keys })
    return
  }
  printTable(
    words.headings,
    keys.map((key) => [
      key.prefix,
      key.name,
      key.scopes.join(', '),
      key.app ?? words.allApps,
      words.bypasses(key.bypassApproval),
      key.createdAt,
      key.lastUsedAt,
      key.revokedAt,
    ]),
    words.empty,
  )
}

async function revoke(given: string, options: CommandOptions): Promise<void> {
  const { withServer } = await import('./server/connect.ts')
  // A complete key is accepted too.
  const prefix = given.slice(0, 8)
  const key = await withServer(options, (server) => server.keys.revoke.mutate({ prefix }))
  if (options.json) printJson(KeyDocument, { key })
  else print(words.revoked(prefix, key.name, key.revokedAt))
}
