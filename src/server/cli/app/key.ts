import type { Command } from 'commander'
import { ALL_SCOPES, Scope } from '../../../shared/access/key.ts'
import { DisplayName } from '../../../shared/names.ts'
import { addServerCommand, type CommandOptions, onServer } from '../command/options.ts'
import { printAnswer, printTable } from '../command/output.ts'
import { several, valid } from '../command/valid.ts'
import { KeyDocument, KeysDocument, MintedKeyDocument } from '../documents/documents.ts'
import { text } from '../strings/catalog.ts'

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
  const { scope = ALL_SCOPES, app = null, bypassApproval = false } = options
  const minted = await onServer(options, (server) =>
    server.keys.mint.mutate({ name, scopes: [...scope], app, bypassApproval }),
  )
  printAnswer(options, MintedKeyDocument, minted, minted.secret)
}

async function list(options: CommandOptions): Promise<void> {
  const listed = await onServer(options, (server) => server.keys.list.query())
  const keys = listed.toReversed()
  const rows = keys.map((key) => [
    ...[key.prefix, key.name, key.scopes.join(', '), key.app ?? words.allApps],
    ...[words.bypasses(key.bypassApproval), key.createdAt, key.lastUsedAt, key.revokedAt],
  ])
  printAnswer(options, KeysDocument, { keys }, () => printTable(words.headings, rows, words.empty))
}

async function revoke(given: string, options: CommandOptions): Promise<void> {
  // A complete key is accepted too.
  const prefix = given.slice(0, 8)
  const key = await onServer(options, (server) => server.keys.revoke.mutate({ prefix }))
  printAnswer(options, KeyDocument, { key }, words.revoked(prefix, key.name, key.revokedAt))
}
