import type { Command } from 'commander'
import { MailAddress } from '../../../shared/access/person.ts'
import { Failure, UsageError } from '../command/errors.ts'
import { addLocalCommand, type ReadOptions } from '../command/options.ts'
import { printAnswer } from '../command/output.ts'
import { valid } from '../command/valid.ts'
import { MailDocument } from '../documents/documents.ts'
import { mailOf } from '../serve/serve-config.ts'
import { mailText as text } from '../strings/config.ts'
import { requireConsistent } from './consistency.ts'
import { addSettingOptions } from './options.ts'
import { readSettings } from './read.ts'

/** `mail test`. */
export function addMailCommands(program: Command): void {
  const mail = program.command('mail').description(text.description)
  const testing = addLocalCommand(mail, 'test', text.test, MailDocument)
  addSettingOptions(testing).argument('<address>', text.address, valid(MailAddress)).action(test)
}

/** Hands one mail to the mail server at once, so that the answer can be shown. */
async function test(to: string, options: ReadOptions, command: Command): Promise<void> {
  const settings = readSettings(command)
  await requireConsistent(settings)
  const mail = mailOf(settings)
  if (mail === undefined) throw new UsageError(text.notConfigured)
  const { sendMail } = await import('../../outbound/outbox/mail-sender.ts')
  const { mailOf: written, TEST_MAIL } = await import('../../outbound/outbox/message/mail.ts')
  const { uuidv7 } = await import('uuidv7')
  const content = written({ type: TEST_MAIL, payload: '{}' }, to, null)
  const { signal } = new AbortController()
  const sent = { ...content, id: `test_${uuidv7()}` }
  const { delivered, attempt } = await sendMail(sent, mail, Date.now, signal)
  if (!delivered) throw new Failure(text.failed(mail.host, mail.port, attempt))
  const { response } = attempt
  printAnswer(options, MailDocument, { to, response }, text.sent(to, response))
}
