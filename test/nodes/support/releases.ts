import { expect } from 'vitest'
import { publishBody } from '../../support/builders/releases.ts'
import type { Node } from './nodes.ts'

const PATH = '/api/v1/releases'

/** Publishes a release on `editor/stable` by a node, at 100%. */
export async function publishAt(
  node: Node,
  key: string,
  version: string,
  members: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const body = publishBody(version, members)
  const { status, text } = await node.call('POST', PATH, { key, body })
  expect(status, text).toBe(201)
}

/** Changes how a release is served, by a node. Returns when it was answered (`performance.now`). */
export async function serveAt(
  node: Node,
  key: string,
  version: string,
  status: 'rolled_back' | 'paused' | 'published',
): Promise<number> {
  const body = { app: 'editor', channel: 'stable', version, status }
  const answer = await node.call('PATCH', PATH, { key, body })
  const answeredAt = performance.now()
  expect(answer.status, answer.text).toBe(200)
  return answeredAt
}
