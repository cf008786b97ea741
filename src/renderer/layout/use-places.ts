import { useMemo } from 'react'
import { useAccess } from '../bridge/access.ts'
import { PLACES, type Place } from './places.ts'

/** Returns the screens that the person may open, in the order of the navigation. */
export function usePlaces(): readonly Place[] {
  const { may, mayInSomeApp } = useAccess()
  return useMemo(
    () =>
      PLACES.filter(({ forAll, forAdministrators }) =>
        forAdministrators ? may('administrator') : forAll || mayInSomeApp('viewer'),
      ),
    [may, mayInSomeApp],
  )
}
