// Package data gives graph learning its datasets: it reads the files they are
// published in, fetches them if they are not there, and generates random ones.
//
//   - [Load] finds a known dataset by name, in a folder, in the cache or on a
//     public mirror; [Names] lists them.
//   - [LoadPlanetoid] and [LoadNPZ] read files of the two formats.
//   - [Karate] is embedded, so there is always something to train on.
//   - [SBM] and [RMAT] generate graphs, the same for any number of threads.
//
// Every file is taken as hostile: sizes are checked before memory is asked
// for, only known classes of pickles are built, and a fault is an error that
// says where it is.
package data
