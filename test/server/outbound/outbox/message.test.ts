import { expect, test } from 'vitest'
import { messageBody } from '../../../../src/server/outbound/outbox/message/message.ts'
import type { OutboxEvent } from '../../../../src/server/outbound/outbox/store.ts'

const published: OutboxEvent = {
  type: 'release.published',
  timestamp: '2026-03-01T12:00:00.000Z',
  data: {
    ...{ app: 'editor', channel: 'stable', version: '2.1.0', before: null },
    ...{ actor: { kind: 'person', name: 'mia' }, after: { rolloutPct: 5 } },
  },
}

const proposed: OutboxEvent = {
  type: 'change_request.proposed',
  timestamp: '2026-03-01T12:00:00.000Z',
  data: {
    ...{ app: 'editor', channel: 'stable', version: '2.1.0', before: null },
    ...{ actor: { kind: 'person', name: 'mia' } },
    after: { comment: 'Hi <!channel> @everyone & [look](https://evil.example)' },
  },
}

test('Slack gets a text for notifications, and blocks', () => {
  expect(messageBody('slack', published)).toEqual({
    text: '2.1.0 published at 5% (editor / stable)',
    blocks: [
      {
        type: 'section',
        text: { type: 'plain_text', text: '2.1.0 published at 5%', emoji: false },
      },
      {
        type: 'context',
        elements: [{ type: 'plain_text', text: 'editor / stable · mia', emoji: false }],
      },
    ],
  })
})

test('Discord gets an embed, and mentions nobody', () => {
  expect(messageBody('discord', published)).toMatchObject({
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: '2.1.0 published at 5%',
        footer: { text: 'editor / stable · mia · Tidegate' },
        timestamp: '2026-03-01T12:00:00.000Z',
      },
    ],
  })
})

test('Teams gets an Adaptive Card', () => {
  expect(messageBody('teams', published)).toMatchObject({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          ...{ type: 'AdaptiveCard', version: '1.4' },
          body: [
            { type: 'TextBlock', text: '2.1.0 published at 5%' },
            { text: 'editor / stable · mia' },
          ],
        },
      },
    ],
  })
})

test('what people write is no markup', () => {
  const slack = JSON.stringify(messageBody('slack', proposed))
  expect(slack).not.toContain('mrkdwn')
  const discord = JSON.stringify(messageBody('discord', proposed))
  expect(discord).toContain(String.raw`\\[look\\]\\(https://evil.example\\)`)
  expect(JSON.stringify(messageBody('teams', proposed))).toContain(String.raw`\\[look\\]`)
})

test('long texts are cut', () => {
  const after = { comment: 'x'.repeat(10_000) }
  const long = { ...proposed, data: { ...proposed.data, after } }
  for (const format of ['slack', 'discord', 'teams'] as const) {
    expect(JSON.stringify(messageBody(format, long)).length).toBeLessThan(2_000)
  }
})
