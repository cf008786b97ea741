import { useQuery } from '@tanstack/react-query'
import { OTHER } from '../../../shared/counting.ts'
import { server } from '../../bridge/clients.ts'
import { colorOfUnpublished } from './version-palette.ts'

/**
 * Returns the color of each version of an app, as an index of the palette, the same on every screen. Undefined
 * for `OTHER`, and for all until the colors are loaded: a color must not change under the reader.
 */
export function useVersionColors(app: string): (version: string) => number | undefined {
  const { data, isError } = useQuery(server.fleet.colors.queryOptions({ app }))
  return (version) => {
    if (version === OTHER || (data === undefined && !isError)) return undefined
    return data !== undefined && Object.hasOwn(data, version)
      ? data[version]
      : colorOfUnpublished(version)
  }
}
