import { type Icon, IconEqual, IconMinus, IconPencil, IconPlus } from '@tabler/icons-react'
import { type Tone, Toned } from '../../components/text/words.tsx'
import type { ChangeKind } from './changes.ts'
import classes from './compare.module.css'
import { KIND_WORDS } from './strings.ts'

const LOOKS: Readonly<Record<ChangeKind, { readonly tone: Tone; readonly Icon: Icon }>> = {
  added: { tone: 'good', Icon: IconPlus },
  removed: { tone: 'bad', Icon: IconMinus },
  changed: { tone: 'warn', Icon: IconPencil },
  same: { tone: 'quiet', Icon: IconEqual },
}

/** Says by an icon and a word whether something was added, removed, changed or left as it was. */
export function ChangeMark({ kind }: { readonly kind: ChangeKind }) {
  const { tone, Icon } = LOOKS[kind]
  return (
    <Toned tone={tone} icon={Icon} gap={6} className={classes.mark}>
      {KIND_WORDS[kind]}
    </Toned>
  )
}
