import type { Attempt, AttemptFailure } from '../../../shared/events/webhook.ts'

const REASONS: Readonly<Partial<Record<AttemptFailure, string>>> = {
  unresolved: 'the host was not found; check --smtp-host',
  unreachable: 'the connection was refused; check --smtp-host and --smtp-port',
  certificate: 'TLS failed; check --smtp-tls and the certificate of the mail server',
  timed_out: 'it did not answer in time; check --smtp-port and --smtp-tls',
  broken_off: 'the connection was lost; check --smtp-port and --smtp-tls',
  authentication: 'signing in failed; check --smtp-user and --smtp-password-file',
  rejected: 'it rejected the mail',
}

/** Texts of `mail`. */
export const text = {
  description: 'Mail for invitations, approvals and alarms',
  test: 'Send a test mail with the settings of the server',
  address: 'Address to send to',
  notConfigured: 'no mail server is configured; set --smtp-host and --mail-from',
  sent: (to: string, response: string) =>
    `The mail server accepted the mail to ${to}: ${response.split('\n')[0] ?? ''}`,
  failed: (host: string, port: number, { failure, response }: Attempt) => {
    const reason = (failure && REASONS[failure]) ?? 'the mail was not accepted'
    const answer = response === '' ? '' : ` (${response.replaceAll(/\s+/g, ' ').trim()})`
    return `${host}:${port}: ${reason}${answer}`
  },
} as const
