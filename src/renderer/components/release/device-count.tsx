import { formatCount, formatCounted } from '../../../shared/wording/format.ts'
import { type DeviceFilters, paths } from '../../paths.ts'
import { TextLink } from '../text/words.tsx'

interface Props {
  readonly count: number
  /** Who is counted: the list of devices opens narrowed to them. */
  readonly of: DeviceFilters
  /** Says `12 devices` in place of the number alone. */
  readonly named?: boolean
}

/** A number of devices that leads to their list; plain where there are none to list. */
export function DeviceCount({ count, of, named = false }: Props) {
  const words = formatCounted(count, 'device')
  const text = named ? words : formatCount(count)
  // An element of its own: beside other text in a row, it keeps its distance.
  if (count === 0) return <span>{text}</span>
  return (
    <TextLink to={paths.devices(of)} aria-label={named ? undefined : words}>
      {text}
    </TextLink>
  )
}
