import type { WebhookFormat } from '../../../../shared/events/webhook.ts'
import { type EventMessage, eventMessage, headline } from '../../../../shared/wording/event.ts'
import type { OutboxEvent } from '../store.ts'

/** Characters of the longest part of a message. Discord allows 256 in a title; Slack 3,000 in a text. */
const MAX_TITLE = 200
const MAX_COMMENT = 500

const RED = 0xe03131
const BLUE = 0x1c7ed6

/**
 * Returns the body for a chat. Text from people is never markup: nothing in it becomes a link or a mention.
 *
 * - Slack: incoming webhooks, Block Kit (docs.slack.dev/messaging/sending-messages-using-incoming-webhooks)
 * - Discord: Execute Webhook (docs.discord.com/developers/resources/webhook)
 * - Teams: an Adaptive Card for the Workflows trigger "When a Teams webhook request is received"
 */
export function messageBody(
  format: Exclude<WebhookFormat, 'standard'>,
  event: OutboxEvent,
): unknown {
  const message = bounded(eventMessage(event))
  return { slack, discord, teams }[format](message, event)
}

function slack(message: EventMessage) {
  const { title, place, by, comment } = message
  const about = [place, by].filter((part) => part !== '').join(' · ')
  const section = (text: string) => ({
    type: 'section',
    text: { type: 'plain_text', text, emoji: false },
  })
  return {
    // What notifications show; plain_text in blocks needs no escaping, this does.
    text: escapeSlack(headline(message)),
    blocks: [
      section(title),
      ...(comment === '' ? [] : [section(comment)]),
      ...(about === ''
        ? []
        : [{ type: 'context', elements: [{ type: 'plain_text', text: about, emoji: false }] }]),
    ],
  }
}

function discord({ title, place, by, comment }: EventMessage, { type, timestamp }: OutboxEvent) {
  return {
    // Nobody is mentioned, whatever a name or a comment says.
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: escapeMarkdown(title),
        ...(comment === '' ? {} : { description: escapeMarkdown(comment) }),
        color: isBad(type) ? RED : BLUE,
        timestamp,
        footer: { text: [place, by, 'Tidegate'].filter((part) => part !== '').join(' · ') },
      },
    ],
  }
}

function teams({ title, place, by, comment }: EventMessage) {
  const about = [place, by].filter((part) => part !== '').join(' · ')
  const block = (text: string, style: object = {}) => ({
    type: 'TextBlock',
    text: escapeMarkdown(text),
    wrap: true,
    ...style,
  })
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            block(title, { weight: 'Bolder' }),
            ...(comment === '' ? [] : [block(comment)]),
            ...(about === '' ? [] : [block(about, { isSubtle: true, spacing: 'None' })]),
          ],
        },
      },
    ],
  }
}

function isBad(type: string): boolean {
  return [
    'release.rolled_back',
    'plan.stopped',
    'artifact.failed',
    'health.alarm_raised',
    'backup.failed',
  ].includes(type)
}

function bounded({ title, place, by, comment }: EventMessage): EventMessage {
  return {
    title: title.slice(0, MAX_TITLE),
    place: place.slice(0, MAX_TITLE),
    by: by.slice(0, MAX_TITLE),
    comment: comment.slice(0, MAX_COMMENT),
  }
}

function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()<>#|~]/g, '\\$&')
}
