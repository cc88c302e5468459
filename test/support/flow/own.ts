// A service and a place that last as long as the test that opens them; one that a file opens at its top, as the file.
import { afterAll, onTestFinished, TestRunner } from 'vitest';
import { createPlace, openService } from './place.ts';

const afterwards = (undo: () => Promise<void>): void => {
  if (TestRunner.getCurrentTest() === undefined) afterAll(undo);
  else onTestFinished(undo);
};

export const ownService = async (...given: Parameters<typeof openService>) => {
  const service = await openService(...given);
  afterwards(service.close);
  return service;
};

export const ownPlace = async (...given: Parameters<typeof createPlace>) => {
  const place = await createPlace(...given);
  afterwards(place.remove);
  return place;
};
