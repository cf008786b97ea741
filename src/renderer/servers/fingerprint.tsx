import { Text } from '@mantine/core'
import classes from './servers.module.css'

interface Props {
  readonly label: string
  readonly value: string
}

/** Bytes in a row: four rows are compared more easily than one line. */
const ROW = 8

/** A fingerprint to compare by eye. */
export function Fingerprint({ label, value }: Props) {
  const bytes = value.split(':')
  const rows = Array.from({ length: bytes.length / ROW }, (_, row) =>
    bytes.slice(row * ROW, (row + 1) * ROW).join(':'),
  )
  return (
    <div>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <pre className={classes.fingerprint}>{rows.join('\n')}</pre>
    </div>
  )
}
