import { useQuery } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { useNavigate } from 'react-router'
import type { ShownDraft } from '../../../shared/console/releases/drafts.ts'
import type { PublishBody, Release } from '../../../shared/releases/release.ts'
import { server, serverClient } from '../../bridge/clients.ts'
import { useChange } from '../../components/change/use-change.ts'
import { paths } from '../../paths.ts'
import { text as approvalText } from '../approvals/strings.ts'
import type { PublishDraft } from './draft.ts'
import { text } from './strings.ts'

/**
 * What becomes of the form: a release, or a change request on a channel that requires approval. Then opens it.
 * `stored`: the draft that is edited in the form.
 */
export function useSubmission(
  { app, newApp, channel, rollout }: PublishDraft,
  stored: ShownDraft | undefined,
  createApp: CreateApp,
) {
  const isDone = useRef(false)
  const navigate = useNavigate()
  const prove = useChange(serverClient.releases.prove.mutate, {
    failed: ({ version }) => text.notProven(version),
  })
  const isProving = useRef(false)
  const publish = useChange(
    async (body: PublishBody) => {
      await createApp(body.app)
      return await publishBody(body, stored)
    },
    {
      done: (release) => text.done(release.version, `${release.app}/${release.channel}`),
      failed: ({ version }) => text.failed(version),
      onAnswer: (release) => {
        isDone.current = true
        const { app: toApp, channel: toChannel, version } = release
        if (isProving.current) prove.send({ app: toApp, channel: toChannel, version })
        void navigate(paths.release(release))
      },
    },
  )
  const propose = useChange(serverClient.changeRequests.propose.mutate, {
    done: (_, { version }) => approvalText.requested(version),
    failed: ({ version }) => approvalText.notRequested(version),
    onAnswer: ({ id }) => {
      isDone.current = true
      void navigate(paths.approval(id))
    },
  })
  const known = useQuery(
    server.channels.policy.queryOptions(
      { app, channel },
      {
        enabled: app !== '' && newApp === undefined && channel !== '',
        retry: false,
      },
    ),
  )
  const isProposal = known.data?.policy.requireApproval === true && reachesDevices(rollout)
  const [resetPublish, resetPropose] = [publish.reset, propose.reset]
  const reset = useCallback(() => {
    resetPublish()
    resetPropose()
  }, [resetPublish, resetPropose])
  const { isPending, error } = isProposal ? propose : publish
  return {
    isProposal,
    proving: known.data?.policy.proving ?? 'off',
    preflight: known.data?.policy.preflight ?? 'off',
    isPending,
    error,
    /** Whether it was accepted: nothing is lost by leaving the form. */
    isDone: () => isDone.current,
    reset,
    /**
     * `comment`: for who decides on the request; ignored where none is needed. `isProven`: whether the artifacts are to
     * be proven right after publishing.
     */
    send(body: PublishBody, comment: string, isProven: boolean) {
      isProving.current = isProven
      const { app: toApp, channel: toChannel, version, ...content } = body
      const place = { app: toApp, channel: toChannel, version }
      if (!isProposal) publish.send(body)
      else {
        const change = { kind: 'publish', ...content } as const
        propose.send({ ...place, change, comment: comment.trim() })
      }
    },
  }
}

function reachesDevices({ mode, rolloutPct }: PublishDraft['rollout']): boolean {
  return mode !== 'manual' || rolloutPct > 0
}

/** Of a draft, only the state that is in the form is published: what others have added since is never lost. */
async function publishBody(body: PublishBody, stored: ShownDraft | undefined): Promise<Release> {
  if (stored === undefined) return await serverClient.releases.publish.mutate(body)
  const { app, channel, version, notes, artifacts, documents, rolloutPct, targets, plan } = body
  return await serverClient.drafts.publish.mutate({
    ...{ app, channel, version, rolloutPct, targets, plan },
    content: { notes, artifacts, documents },
    seen: stored.revision,
  })
}

type CreateApp = (ref: string) => Promise<void>

/** Returns what creates the app of the release where it is a new one of that name: once, also if what follows fails. */
export function useNewApp(name: string | undefined): CreateApp {
  const created = useRef<string>(undefined)
  return async (ref) => {
    if (name === undefined || created.current === ref) return
    await serverClient.apps.create.mutate({ ref, name: name.trim() })
    created.current = ref
  }
}

/** Saves the form as a draft: a new one, whose page it then opens, or `stored`, for which `onSaved` hears of it. */
export function useDraftSaving(
  stored: ShownDraft | undefined,
  createApp: CreateApp,
  onSaved: ((saved: ShownDraft) => void) | undefined,
) {
  const isDone = useRef(false)
  const navigate = useNavigate()
  const change = useChange(
    async (draft: Parameters<typeof serverClient.drafts.save.mutate>[0]) => {
      await createApp(draft.app)
      return await serverClient.drafts.save.mutate(draft)
    },
    {
      done: ({ draft }) => text.draftSaved(draft.version),
      failed: ({ version }) => text.draftNotSaved(version),
      onAnswer: (saved) => {
        if (stored !== undefined) {
          onSaved?.(saved)
          return
        }
        isDone.current = true
        void navigate(paths.draft(saved.draft))
      },
    },
  )
  return {
    ...change,
    /** Whether a new draft was stored: nothing is lost by leaving the form. */
    isDone: () => isDone.current,
    save({ app, channel, version, notes, artifacts, documents }: PublishBody) {
      const content = { notes, artifacts, documents }
      change.send({ app, channel, version, ...content, seen: stored?.revision ?? null })
    },
  }
}
