import {
  type Icon,
  IconAlertTriangle,
  IconArchive,
  IconArrowBackUp,
  IconBan,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconHandStop,
  IconMail,
  IconPlayerPause,
  IconPlayerPlay,
} from '@tabler/icons-react'
import { STATUS_WORDS } from '../strings.ts'
import { type Tone, Toned } from '../text/words.tsx'
import classes from './release.module.css'

interface Look {
  readonly tone: Tone
  readonly Icon: Icon
}

const LOOKS: Readonly<Record<keyof typeof STATUS_WORDS, Look>> = {
  published: { tone: 'good', Icon: IconCircleCheck },
  paused: { tone: 'warn', Icon: IconPlayerPause },
  rolled_back: { tone: 'bad', Icon: IconArrowBackUp },
  archived: { tone: 'quiet', Icon: IconArchive },
  active: { tone: 'good', Icon: IconCircleCheck },
  revoked: { tone: 'quiet', Icon: IconBan },
  invited: { tone: 'warn', Icon: IconMail },
  disabled: { tone: 'quiet', Icon: IconBan },
  failing: { tone: 'warn', Icon: IconAlertTriangle },
  pending: { tone: 'warn', Icon: IconClock },
  delivered: { tone: 'good', Icon: IconCircleCheck },
  failed: { tone: 'bad', Icon: IconCircleX },
  canceled: { tone: 'quiet', Icon: IconBan },
  running: { tone: 'good', Icon: IconPlayerPlay },
  suspended: { tone: 'warn', Icon: IconPlayerPause },
  stopped: { tone: 'bad', Icon: IconHandStop },
  finished: { tone: 'quiet', Icon: IconCircleCheck },
}

/** Where a release, its plan, an app, a key, an account, a webhook or a delivery stands: an icon and a word, coloured by what it means. */
export function StatusBadge({ status }: { readonly status: keyof typeof LOOKS }) {
  const { tone, Icon } = LOOKS[status]
  return (
    <Toned tone={tone} icon={Icon} className={classes.status}>
      {STATUS_WORDS[status]}
    </Toned>
  )
}
