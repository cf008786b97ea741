import type { EventMessage } from './event.ts'

const WHY =
  'You receive this mail because your account on this Tidegate server has this e-mail address.'

/** What mails say. */
export const text = {
  test: {
    subject: '[Tidegate] Test mail',
    body: 'Mail from this Tidegate server reaches you.\n',
  },
  invitation: {
    subject: '[Tidegate] You have been invited',
    body: (name: string, link: string, expiresAt: string) =>
      [
        `You have been invited to a Tidegate server as ${name}.`,
        '',
        'Open this link to set your password. It works once:',
        link,
        '',
        `The link expires at ${utc(expiresAt)}.`,
        'If you did not expect this mail, you can ignore it.',
        '',
      ].join('\n'),
  },
  event: {
    body: ({ title, place, by, comment }: EventMessage, console: string | null) =>
      [
        `${title}.`,
        ...(place === '' ? [] : ['', `App and channel: ${place}`]),
        ...(by === '' ? [] : [`By: ${by}`]),
        ...(comment === '' ? [] : ['', comment]),
        ...(console === null ? [] : ['', `Console: ${console}`]),
        '',
        '-- ',
        WHY,
        '',
      ].join('\n'),
  },
} as const

/** Recipients are in any time zone. */
function utc(at: string): string {
  return `${at.slice(0, 16).replace('T', ' ')} UTC`
}
