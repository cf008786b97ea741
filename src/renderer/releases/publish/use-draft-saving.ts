import { useRef } from 'react'
import { useNavigate } from 'react-router'
import type { ShownDraft } from '../../../shared/console/drafts.ts'
import type { PublishBody } from '../../../shared/release.ts'
import { serverClient } from '../../bridge/clients.ts'
import { useChange } from '../../components/change/use-change.ts'
import { paths } from '../../paths.ts'
import { text } from './strings.ts'

/** Saves the form as a draft: a new one, whose page it then opens, or `stored`, for which `onSaved` hears of it. */
export function useDraftSaving(
  stored: ShownDraft | undefined,
  onSaved: ((saved: ShownDraft) => void) | undefined,
) {
  const isDone = useRef(false)
  const navigate = useNavigate()
  const change = useChange(serverClient.drafts.save.mutate, {
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
  })
  return {
    ...change,
    /** Whether a new draft was stored: nothing is lost by leaving the form. */
    isDone: () => isDone.current,
    save({ app, channel, version, notes, artifacts }: PublishBody) {
      change.send({ app, channel, version, notes, artifacts, seen: stored?.revision ?? null })
    },
  }
}
