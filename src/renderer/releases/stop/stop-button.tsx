import { IconHandStop } from '@tabler/icons-react'
import type { ReleasePlace } from '../../../shared/console/releases/releases.ts'
import { useAccess } from '../../bridge/access.ts'
import { SmallButton } from '../../components/small-button.tsx'
import { stopRelease } from './stop-store.ts'
import { text } from './strings.ts'

interface Props {
  readonly release: ReleasePlace
  /** True where the release is not named beside it. */
  readonly isNamed?: boolean
}

/** Stops a release in one step; nothing for who may not. */
export function StopButton({ release, isNamed = false }: Props) {
  const { app, channel, version } = release
  const { may } = useAccess()
  if (!may('release_manager', app)) return null
  return (
    <SmallButton
      {...(isNamed ? { variant: 'light', color: 'red' } : { c: 'var(--tidegate-bad)' })}
      icon={IconHandStop}
      aria-label={isNamed ? text.title(version) : text.stopLabel(version, `${app}/${channel}`)}
      onClick={() => stopRelease(release)}
    >
      {isNamed ? text.title(version) : text.stop}
    </SmallButton>
  )
}
