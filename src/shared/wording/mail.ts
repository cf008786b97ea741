import { type EventMessage, headline } from './event.ts'
import { formatCounted } from './format.ts'

const WHY =
  'You receive this mail because your account on this Tidegate server has this e-mail address. Choose what you are notified about under My account.'

const signature = ['', '-- ', WHY, '']

/** What mails and push notifications say. */
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
        ...signature,
      ].join('\n'),
  },
  /** Events that waited for a digest, or for the end of quiet hours. */
  held: {
    subject: (events: number) => `Summary: ${formatCounted(events, 'event')}`,
    body: (messages: readonly EventMessage[], more: number, console: string | null) =>
      [
        ...messages.flatMap((message) => [
          `- ${headline(message)}${message.by === '' ? '' : ` by ${message.by}`}`,
          ...(message.comment === '' ? [] : [`  ${message.comment.replaceAll('\n', '\n  ')}`]),
        ]),
        ...(more === 0 ? [] : ['', `And ${formatCounted(more, 'more event')}.`]),
        ...(console === null ? [] : ['', `Console: ${console}`]),
        ...signature,
      ].join('\n'),
  },
  push: {
    test: {
      title: 'Test notification',
      body: 'Notifications of this Tidegate server reach you here.',
    },
    held: (events: number) => formatCounted(events, 'event'),
  },
} as const

/** Recipients are in any time zone. */
function utc(at: string): string {
  return `${at.slice(0, 16).replace('T', ' ')} UTC`
}
