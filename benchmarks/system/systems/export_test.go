package systems

// NewCuSPARSE lets tests put another library in cuSPARSE's place.
var NewCuSPARSE = newCuSPARSE
